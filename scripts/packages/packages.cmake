# The targets `package` (Debian packages, and in a git checkout an archive of the source) and `package_source` (the archive
# alone). What goes into which package is said where it is installed: COMPONENT nmt, libnmt0 or libnmt-dev.

set(packages ${PROJECT_BINARY_DIR}/packages)
set(share ${CMAKE_INSTALL_DATADIR}/nmt)

# The example, which reads its corpus from beside it.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS configs/en-fr.json)
file(READ configs/en-fr.json example)
string(REPLACE "\"../data/" "\"" example "${example}")
file(CONFIGURE OUTPUT ${packages}/en-fr.json CONTENT "${example}" @ONLY)
install(FILES ${packages}/en-fr.json configs/schema.json DESTINATION ${share} COMPONENT nmt)
install(DIRECTORY data/en-fr DESTINATION ${share} COMPONENT nmt)

# The pages that manual pages and help name, those that they lead to, and the files that these lead to, as in the source.
set(doc ${CMAKE_INSTALL_DATADIR}/doc/nmt)
foreach(file README.md data/README.md scripts/bench/README.md src/README.md src/api/README.md tests/README.md
        include/nmt.h scripts/nmt.py)
  get_filename_component(folder ${file} DIRECTORY)
  install(FILES ${file} DESTINATION ${doc}/${folder} COMPONENT nmt)
endforeach()
install(DIRECTORY src/api/examples DESTINATION ${doc}/src/api COMPONENT nmt)
install(DIRECTORY configs DESTINATION ${doc} COMPONENT nmt
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN schema.json)
if(NMT_STATIC)
  return()
endif()

# What only a package has. The files are made by cpack.cmake.
foreach(package nmt libnmt0 libnmt-dev)
  install(FILES ${packages}/copyright ${packages}/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
    COMPONENT ${package} EXCLUDE_FROM_ALL OPTIONAL)
endforeach()

set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
# The server as a service, not enabled.
if(MICROHTTPD_FOUND)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/nmt-serve.service.in ${packages}/nmt-serve.service @ONLY)
  install(FILES ${packages}/nmt-serve.service ${CMAKE_CURRENT_LIST_DIR}/nmt-serve.socket
    DESTINATION lib/systemd/system COMPONENT nmt EXCLUDE_FROM_ALL)
endif()
install(DIRECTORY src/api/examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libnmt-dev/examples
  COMPONENT libnmt-dev EXCLUDE_FROM_ALL)
install(FILES scripts/nmt.py DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libnmt-dev/examples
  COMPONENT libnmt-dev EXCLUDE_FROM_ALL)

set(NMT_MAINTAINER "" CACHE STRING "the packages' maintainer, \"name <address>\"; empty: the last commit's author")
# The packages of one release of a system do not fit another, and have another name: 1~debian12.
set(release 1)
if(EXISTS /etc/os-release)
  file(STRINGS /etc/os-release name REGEX "^ID=")
  file(STRINGS /etc/os-release number REGEX "^VERSION_ID=")
  string(REGEX REPLACE "VERSION_ID=|ID=|[^a-z0-9.]" "" release "${name}${number}")
  set(release 1~${release})
endif()

if(NOT shlibdeps) # else a toolchain says how
  set(shlibdeps dpkg-shlibdeps)
endif()
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR DEB)
if(EXISTS ${PROJECT_SOURCE_DIR}/.git)
  list(APPEND CPACK_GENERATOR External)
endif()
set(CPACK_SOURCE_GENERATOR External)
set(CPACK_EXTERNAL_PACKAGE_SCRIPT ${packages}/source.cmake)
set(CPACK_PROJECT_CONFIG_FILE ${packages}/cpack.cmake)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL nmt libnmt0 libnmt-dev)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_RELEASE "${release}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(summary "neural machine translation")
set(what "nmt trains neural machine translation from two texts that translate each other
line by line, and translates raw text with the result. It runs on the CPU and
needs nothing else: no Python, no external tokenizer.
")
set(CPACK_DEBIAN_NMT_PACKAGE_NAME nmt)
set(CPACK_DEBIAN_NMT_PACKAGE_SECTION science)
set(CPACK_DEBIAN_NMT_DESCRIPTION "${summary}, on the command line
${what}
This package has the program, its manual and an example: a corpus of short
English and French sentences.")

set(CPACK_DEBIAN_LIBNMT0_PACKAGE_NAME libnmt0)
set(CPACK_DEBIAN_LIBNMT0_PACKAGE_SOURCE nmt)
set(CPACK_DEBIAN_LIBNMT0_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBNMT0_PACKAGE_CONTROL_EXTRA ${packages}/shlibs ${packages}/triggers)
set(CPACK_DEBIAN_LIBNMT0_DESCRIPTION "${summary}, the library
${what}
This package has the library, with which other programs translate.")

set(CPACK_DEBIAN_LIBNMT-DEV_PACKAGE_NAME libnmt-dev)
set(CPACK_DEBIAN_LIBNMT-DEV_PACKAGE_SOURCE nmt)
set(CPACK_DEBIAN_LIBNMT-DEV_PACKAGE_SECTION libdevel)
# What a program needs that links libnmt.a.
set(CPACK_DEBIAN_LIBNMT-DEV_PACKAGE_SUGGESTS "libopenblas-dev, libcjson-dev, libutf8proc-dev, zlib1g-dev")
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_LIBNMT-DEV_DESCRIPTION "${summary}, files for development
${what}
This package has what is needed to build programs with the library.")

file(CONFIGURE OUTPUT ${packages}/shlibs CONTENT "libnmt 0 libnmt0 (>= @PROJECT_VERSION@)\n" @ONLY)
file(CONFIGURE OUTPUT ${packages}/triggers CONTENT "activate-noawait ldconfig\n" @ONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/cpack.cmake.in ${packages}/cpack.cmake @ONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/source.cmake.in ${packages}/source.cmake @ONLY)
include(CPack)
cpack_add_component(nmt)
cpack_add_component(libnmt0)
cpack_add_component(libnmt-dev DEPENDS libnmt0)
