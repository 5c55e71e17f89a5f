# SPDX-License-Identifier: Apache-2.0
"""Bobbin for Spack, built from a clone:

    spack repo add packaging/spack
    spack dev-build bobbin@0.1.0        # in the clone
"""

from spack.package import *


class Bobbin(CMakePackage):
    """An OpenMP runtime on which unmodified programs run. It replaces GCC's libgomp, LLVM's libomp
    and Intel's libiomp5 without recompiling the programs."""

    license("Apache-2.0")

    # There is no place to download a release from yet.
    version("0.1.0")

    variant("lab", default=False, description="Build the benchmarks and install the lab")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("go-md2man", type="build")
    depends_on("ninja", type="build")
    depends_on("cli11@2.1:", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("elfutils")
    depends_on("hwloc@2:")
    depends_on("python@3.11:", type="run", when="+lab")
    depends_on("py-jinja2", type="run", when="+lab")
    depends_on("py-matplotlib", type="run", when="+lab")
    depends_on("py-numpy", type="run", when="+lab")
    depends_on("py-pillow", type="run", when="+lab")
    depends_on("py-rich", type="run", when="+lab")
    depends_on("py-typer@0.9:", type="run", when="+lab")

    requires("platform=linux")
    conflicts("%gcc@:11", msg="Bobbin needs a compiler for C++20")

    generator("ninja")

    def cmake_args(self):
        return [self.define("BUILD_TESTING", False), self.define("CMAKE_INSTALL_LIBDIR", "lib")]

    @property
    def build_targets(self):
        if self.spec.satisfies("+lab"):
            return []
        return ["bobbin_libraries", "bobbin_command", "manual"]

    def install(self, spec, prefix):
        components = ["library", "development", "command", "manual"]
        if spec.satisfies("+lab"):
            components.append("lab")
        cmake = which("cmake")
        with working_dir(self.build_directory):
            for component in components:
                cmake("--install", ".", "--component", component)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_installation(self):
        bobbin = Executable(self.prefix.bin.bobbin)
        bobbin("--version")
        bobbin("run", self.prefix.bin.bobbin, "env")
