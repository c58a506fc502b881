# A CMake toolchain: builds for arm64 on another machine, with the libraries that arm64-libraries has fetched.
#
#   cmake -DCMAKE_TOOLCHAIN_FILE=scripts/packages/arm64.cmake -DNMT_ARM64_ROOT=ROOT -DNMT_NATIVE=NMT
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES NMT_ARM64_ROOT)

set(CMAKE_FIND_ROOT_PATH ${NMT_ARM64_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(libraries ${NMT_ARM64_ROOT}/usr/lib/aarch64-linux-gnu)
set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,-rpath-link,${libraries})
set(CMAKE_SHARED_LINKER_FLAGS_INIT -Wl,-rpath-link,${libraries})
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${NMT_ARM64_ROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${libraries}/pkgconfig:${libraries}/openblas-pthread/pkgconfig)

# For packages: where Debian has libraries, and what these depend on.
set(CMAKE_INSTALL_LIBDIR lib/aarch64-linux-gnu CACHE PATH "of libraries, below the prefix")
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
set(shlibdeps dpkg-shlibdeps --admindir=${NMT_ARM64_ROOT}/dpkg -l${libraries})
