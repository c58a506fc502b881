# Which commit the source is. In a checkout git tells it; an archive that git has made holds it in the file .commit.
#
#   include(commit.cmake)                                       for nmt_find_commit
#   cmake -D SOURCE_DIR=DIR -D HEADER=FILE -P commit.cmake      writes a header, if the commit is another one
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.18)
endif()

# nmt_ask_git(SOURCE_DIR RESULT ARGUMENT...): the first line of git's answer; "" with the reason in RESULT_error.
function(nmt_ask_git source_dir result)
  execute_process(COMMAND git --no-optional-locks -C ${source_dir} ${ARGN}
    RESULT_VARIABLE status OUTPUT_VARIABLE answer ERROR_VARIABLE error OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT status EQUAL 0)
    set(answer "")
    string(REGEX REPLACE "\n.*" "" error "${status}: ${error}")
  endif()
  set(${result} "${answer}" PARENT_SCOPE)
  set(${result}_error "${error}" PARENT_SCOPE)
endfunction()

# nmt_find_commit(SOURCE_DIR): sets nmt_commit ("abc1234", "abc1234-dirty" or "unknown"), nmt_commit_time (seconds since
# 1970) and nmt_commit_author ("name <address>"), both empty if unknown. Says so where the commit is unknown.
function(nmt_find_commit source_dir)
  set(lines unknown unknown unknown) # as of a copy without the files whose names begin with a dot
  if(EXISTS ${source_dir}/.commit)
    file(STRINGS ${source_dir}/.commit lines)
  endif()
  list(GET lines 0 commit)
  list(GET lines 1 time)
  list(GET lines 2 author)
  if(commit MATCHES "^[0-9a-f]+$")
    string(SUBSTRING ${commit} 0 7 commit)
  else()
    nmt_ask_git(${source_dir} top rev-parse --show-toplevel)
    get_filename_component(real_dir ${source_dir} REALPATH)
    if(top AND NOT top STREQUAL real_dir)
      set(top_error "${real_dir} lies in another repository, ${top}")
      set(top "")
    endif()
    set(commit unknown)
    set(time "")
    set(author "")
    if(top)
      nmt_ask_git(${source_dir} commit describe --always --dirty --abbrev=7 --exclude *)
      nmt_ask_git(${source_dir} time log -1 --format=%ct)
      nmt_ask_git(${source_dir} author log -1 "--format=%an <%ae>")
    else()
      message(NOTICE "The commit is unknown, and `nmt --version` will say so. git: ${top_error}")
    endif()
  endif()
  set(nmt_commit "${commit}" PARENT_SCOPE)
  set(nmt_commit_time "${time}" PARENT_SCOPE)
  set(nmt_commit_author "${author}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  nmt_find_commit(${SOURCE_DIR})
  file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define NMT_COMMIT \"@nmt_commit@\"\n" @ONLY)
endif()
