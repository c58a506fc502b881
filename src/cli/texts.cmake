# Texts into the program, and manual pages and completion scripts out of it.

# The program has its texts as strings: manual/train.md is manual_train, completion/nmt.bash is completion_bash.
file(GLOB texts CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/manual/*.md ${CMAKE_CURRENT_LIST_DIR}/completion/nmt.*)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${texts})
set(strings "")
foreach(text ${texts})
  file(READ ${text} bytes HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  string(REGEX REPLACE ".*/manual/([a-z]+)\\.md$" "manual_\\1" name ${text})
  string(REGEX REPLACE ".*/completion/nmt\\.([a-z]+)$" "completion_\\1" name ${name})
  string(APPEND strings "extern const char ${name}[];\nconst char ${name}[] = \"${bytes}\";\n")
endforeach()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/cli_texts.c CONTENT "${strings}")
set_source_files_properties(${PROJECT_BINARY_DIR}/cli_texts.c PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
target_sources(cli PRIVATE ${PROJECT_BINARY_DIR}/cli_texts.c)
target_compile_definitions(cli PRIVATE NMT_VERSION_DATE="${NMT_VERSION_DATE}")

# The program prints its pages and scripts.
set(NMT_NATIVE "" CACHE FILEPATH "an nmt that runs here, to print the manual pages of one that is built for another machine")
if(NMT_NATIVE)
  set(printer ${NMT_NATIVE})
elseif(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  set(printer nmt)
else()
  message(NOTICE "No manual pages and no completion: the program does not run here. -DNMT_NATIVE=FILE names one of the "
    "same source that does.")
  return()
endif()
set(share ${PROJECT_BINARY_DIR}/share)
add_custom_command(OUTPUT ${share}/made
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${share}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${share}/man/man3 ${share}/completion
  COMMAND ${printer} help --write-pages ${share}/man
  COMMAND awk -v version=${PROJECT_VERSION} -v date=${NMT_VERSION_DATE} -f ${PROJECT_SOURCE_DIR}/src/api/manual.awk
    ${PROJECT_SOURCE_DIR}/include/nmt.h > ${share}/man/man3/nmt.3
  COMMAND gzip -9 -n -r ${share}/man
  COMMAND ${printer} completion bash > ${share}/completion/nmt
  COMMAND ${printer} completion zsh > ${share}/completion/_nmt
  COMMAND ${printer} completion fish > ${share}/completion/nmt.fish
  COMMAND ${CMAKE_COMMAND} -E touch ${share}/made
  DEPENDS ${printer} ${PROJECT_SOURCE_DIR}/src/api/manual.awk ${PROJECT_SOURCE_DIR}/include/nmt.h VERBATIM)
add_custom_target(manual ALL DEPENDS ${share}/made)

foreach(section 1 5 7)
  install(DIRECTORY ${share}/man/man${section} DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT nmt)
endforeach()
install(DIRECTORY ${share}/man/man3 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT libnmt-dev)
install(FILES ${share}/completion/nmt DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT nmt)
install(FILES ${share}/completion/nmt.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT nmt)
# Debian's zsh looks elsewhere for what its packages have in /usr.
install(CODE "set(zsh_folder site-functions)
if(CMAKE_INSTALL_PREFIX MATCHES \"/usr/?$\" AND EXISTS /etc/debian_version)
  set(zsh_folder vendor-completions)
endif()
file(INSTALL \"${share}/completion/_nmt\" DESTINATION
  \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${zsh_folder}\")" COMPONENT nmt)
