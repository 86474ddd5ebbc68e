"""Compiles the core when it can; without a compiler the package installs all the same and runs interpreted.

What the package is stands in pyproject.toml. Here is only how the modules of COMPILED become C, and four settings,
read from the environment:

    STATIONMASTER_PURE=1         compile nothing
    STATIONMASTER_NATIVE=0       do not use what only this machine's processor has (for images moved between machines)
    STATIONMASTER_BOUNDSCHECK=1  a build for tests: slow, and stops at the first index or shift that is out of bounds
    CC                           the compiler

The modules are compiled all together or not at all: they know one another's C types.
Everything made on the way lies in build/, apart for each setting, and nothing in src/.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CCompilerError, ExecError, PlatformError
from setuptools.modified import newer

COMPILED = [
    "stationmaster.engine.core",
    "stationmaster.planner.train",
    "stationmaster.planner.pairing",
    "stationmaster.planner.leftovers",
    "stationmaster.planner.laying",
    "stationmaster.planner.policy",
    "stationmaster.bots.ending",
    "stationmaster.bots.evidence",
    "stationmaster.bots.goal",
    "stationmaster.bots.search",
    "stationmaster.lab.watch",
]

DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": True,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
}
CHECKED_DIRECTIVES = DIRECTIVES | {"boundscheck": True, "wraparound": True, "initializedcheck": True}

# For each kind of build the flags to try, best first. Cython's own checks do not reach C arrays; the compiler's do.
# An array at the very end of a struct counts as open-ended, and is not checked, unless -fstrict-flex-arrays is known.
CHECKS = ["-O1", "-g", "-fsanitize=bounds,shift-exponent", "-fno-sanitize-recover=all"]
FLAGS = {
    "native": [["-O3", "-g0", "-march=native", "-fno-tree-vectorize"], ["-O3", "-g0", "-march=native"], ["-O3", "-g0"]],
    "plain": [["-O3", "-g0", "-fno-tree-vectorize"], ["-O3", "-g0"]],
    "checked": [[*CHECKS, "-fstrict-flex-arrays=1"], CHECKS],
    "pure": [],
}


def setting(name: str, default: bool) -> bool:
    """Whether a setting of the environment is on."""
    value = os.environ.get(f"STATIONMASTER_{name}", "").strip().lower() or ("1" if default else "0")
    if value not in {"0", "1"}:
        sys.exit(f"STATIONMASTER_{name}={value}: this setting is 0 or 1")
    return value == "1"


def kind_of_build() -> str:
    """Which of FLAGS the environment asks for."""
    if setting("PURE", default=False):
        return "pure"
    if setting("BOUNDSCHECK", default=False):
        return "checked"
    return "native" if setting("NATIVE", default=True) else "plain"


KIND = kind_of_build()
MADE = Path("build", KIND)


def source(module: str) -> str:
    """The file of a module, from the top of the checkout."""
    return f"src/{module.replace('.', '/')}.py"


def tell(text: str) -> None:
    """Say something that a person who installs should read (pip shows it with -v)."""
    print(f"\n{'*' * 100}\n{text}\n{'*' * 100}\n", file=sys.stderr)


class CompileOrLeave(build_ext):
    """Compiles every module of COMPILED with the first flags that work, or leaves all of them interpreted."""

    def run(self) -> None:
        """Translate to C, then try one set of flags after another."""
        if not self.extensions:
            return
        from Cython.Build import cythonize

        translated = cythonize(
            self.extensions,
            build_dir=str(MADE / "c"),
            include_path=["src"],
            compiler_directives=CHECKED_DIRECTIVES if KIND == "checked" else DIRECTIVES,
            force=any(newer("setup.py", MADE / "c" / source(name).replace(".py", ".c")) for name in COMPILED),
            emit_linenums=KIND == "checked",  # so that what is found names the line of the .py file
            quiet=True,
        )
        for extension, in_c in zip(self.extensions, translated, strict=True):
            extension.sources, extension.depends = in_c.sources, [*in_c.depends, "setup.py"]
        compiler, refusals = self.compiler, []
        for flags in FLAGS[KIND]:
            for extension in self.extensions:
                extension.extra_compile_args = flags
                extension.extra_link_args = [flag for flag in flags if flag.startswith("-fsanitize")]
            self.compiler = compiler  # a run turns the name into an object, and the next run expects the name
            try:
                super().run()
            except (CCompilerError, ExecError, PlatformError) as refusal:
                refusals.append(f"  {' '.join(flags)}: {refusal}")
                self.remove_compiled()
            else:
                return
        said = "\n".join(refusals)
        if KIND == "checked":
            sys.exit(f"A build with bounds checks was asked for, and the compiler could not make it:\n{said}")
        tell(
            f"""Stationmaster is installed without its compiled core. It runs interpreted: the same rules, more slowly.
To have it compiled, get a C compiler and Python's headers (Debian, Ubuntu: apt-get install gcc python3-dev)
and install once more. What the compiler said:
{said}"""
        )
        self.extensions = []

    def remove_compiled(self) -> None:
        """Take away what an earlier build left, so that nothing stale is installed."""
        for extension in self.extensions:
            Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)


class OnlyWhatIsThere(build_py):
    """Copies the package, without files that an earlier build copied and the checkout no longer has."""

    def run(self) -> None:
        """Empty the folder of copies, compiled modules aside, and copy afresh."""
        made = Path(self.build_lib)
        for path in made.rglob("*"):
            module = ".".join((*path.relative_to(made).parent.parts, path.name.split(".")[0]))
            if path.is_file() and not (path.suffix in {".so", ".pyd"} and module in COMPILED):
                path.unlink()
        super().run()


MADE.mkdir(parents=True, exist_ok=True)
setup(
    ext_modules=[] if KIND == "pure" else [Extension(name, [source(name)]) for name in COMPILED],
    cmdclass={"build_ext": CompileOrLeave, "build_py": OnlyWhatIsThere},
    options={"build": {"build_base": str(MADE)}, "egg_info": {"egg_base": str(MADE)}},
)
