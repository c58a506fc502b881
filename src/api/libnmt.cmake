# The C API: libnmt.so and libnmt.a, which show include/nmt.h and nothing else, and the files by which programs find them.
nmt_layer(api DEPENDS decode model data text layers math config base DEFINES NMT_VERSION="${PROJECT_VERSION}")
# The interface: the number in the SONAME of libnmt.so, and the first version that has it. All later ones run, and build, what
# was made for that one.
set(abi 0)
set(abi_since 0.2)
target_include_directories(api PUBLIC ${PROJECT_SOURCE_DIR}/include)
add_library(libnmt SHARED $<TARGET_OBJECTS:api>)
set_target_properties(libnmt PROPERTIES OUTPUT_NAME nmt EXPORT_NAME nmt VERSION ${PROJECT_VERSION} SOVERSION ${abi}
  LINKER_LANGUAGE C LINK_DEPENDS ${PROJECT_SOURCE_DIR}/src/api/libnmt.map)
target_include_directories(libnmt INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(libnmt PRIVATE decode nmt_flags)
# Its calls to its own functions are to these, even if the program has functions of the same names.
target_link_options(libnmt PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/src/api/libnmt.map -Wl,-Bsymbolic-functions)

# libnmt.a is one object: what the API needs of all layers, whose hidden symbols become local.
set(api_layers decode model data text layers math config base)
set(api_archives ${api_layers})
list(TRANSFORM api_archives REPLACE "(.+)" "$<TARGET_FILE:\\1>")
set(static_library ${PROJECT_BINARY_DIR}/libnmt.a)
separate_arguments(compiler_arguments UNIX_COMMAND "${CMAKE_C_COMPILER_ARG1}") # of a CC such as "ccache gcc"
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  list(APPEND compiler_arguments -flinker-output=nolto-rel) # with -flto, objcopy finds no symbols in its bytecode
endif()
add_custom_command(OUTPUT ${static_library}
  COMMAND ${CMAKE_C_COMPILER} ${compiler_arguments} -r -nostdlib -o libnmt.o $<TARGET_OBJECTS:api>
    -Wl,--start-group ${api_archives} -Wl,--end-group
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden libnmt.o
  COMMAND ${CMAKE_COMMAND} -E rm -f ${static_library}
  COMMAND ${CMAKE_AR} rcs ${static_library} libnmt.o
  COMMAND ${CMAKE_COMMAND} -E rm -f libnmt.o
  DEPENDS api ${api_layers} $<TARGET_OBJECTS:api>
  COMMAND_EXPAND_LISTS VERBATIM COMMENT "Linking libnmt.a")
add_custom_target(libnmt_static ALL DEPENDS ${static_library})

# What a program needs that links libnmt.a: the libraries of the layers.
get_target_property(blas_libraries nmt_blas INTERFACE_LINK_LIBRARIES)
if(NMT_BLAS STREQUAL "openblas")
  set(blas_libraries ${OPENBLAS_LDFLAGS})
endif()
set(NMT_STATIC_LIBRARIES ${blas_libraries} ${CJSON_LDFLAGS} ${UTF8PROC_LDFLAGS} -lz -lm -pthread)
list(JOIN NMT_STATIC_LIBRARIES " " NMT_STATIC_LIBS) # as pkg-config writes them

# How programs find the library: pkg-config and CMake.
include(CMakePackageConfigHelpers)
string(REGEX REPLACE "[^/]+" ".." NMT_PC_UP "${CMAKE_INSTALL_LIBDIR}/pkgconfig") # from nmt.pc to the prefix
foreach(dir LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${dir}}")
    set(NMT_PC_${dir} "${CMAKE_INSTALL_${dir}}")
  else()
    set(NMT_PC_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
  endif()
endforeach()
set(cmake_files_dir ${CMAKE_INSTALL_LIBDIR}/cmake/nmt)
set(NMT_PC_PREFIX @prefix@)
configure_file(src/api/nmt.pc.in nmt.pc.in @ONLY)
configure_file(src/api/install_pc.cmake.in install_pc.cmake @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/install_pc.cmake COMPONENT libnmt-dev)
configure_package_config_file(src/api/nmtConfig.cmake.in nmtConfig.cmake INSTALL_DESTINATION ${cmake_files_dir}
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(nmtConfigVersion.cmake COMPATIBILITY AnyNewerVersion)
file(APPEND ${PROJECT_BINARY_DIR}/nmtConfigVersion.cmake
  "if(PACKAGE_FIND_VERSION AND NOT PACKAGE_FIND_VERSION_RANGE AND PACKAGE_FIND_VERSION VERSION_LESS ${abi_since})
  set(PACKAGE_VERSION_COMPATIBLE FALSE) # another interface
endif()
")

install(TARGETS libnmt EXPORT nmtTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libnmt0
  NAMELINK_COMPONENT libnmt-dev)
install(EXPORT nmtTargets NAMESPACE nmt:: DESTINATION ${cmake_files_dir} COMPONENT libnmt-dev)
install(FILES ${PROJECT_BINARY_DIR}/nmtConfig.cmake ${PROJECT_BINARY_DIR}/nmtConfigVersion.cmake
  DESTINATION ${cmake_files_dir} COMPONENT libnmt-dev)
install(FILES ${static_library} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libnmt-dev)
install(FILES ${PROJECT_BINARY_DIR}/nmt.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT libnmt-dev)
install(FILES include/nmt.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT libnmt-dev)
