"""Makes the client's wheel with the standard library alone, so that no build tool is downloaded. `make_wheel.py FOLDER` prints the wheel's path.

A wheel of pure Python is an archive of the package, its metadata from `pyproject.toml`, and a digest of every file. The same sources make the same
bytes.
"""

import base64
import hashlib
import sys
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIRST_DATE = (1980, 1, 1, 0, 0, 0)


def metadata(project: dict) -> str:
    """Returns the metadata for installers, in the format Metadata 2.1, with the README as the description."""
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"License: {project['license']['text']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Classifier: {classifier}" for classifier in project["classifiers"]),
        *(f"Requires-Dist: {package}" for package in project["dependencies"]),
    ]
    for extra, packages in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {package} ; extra == "{extra}"' for package in packages)]
    lines += ["Description-Content-Type: text/markdown", "", (ROOT / project["readme"]).read_text(encoding="utf-8")]
    return "\n".join(lines)


def package_files() -> dict[str, bytes]:
    """Returns the files of the package by path: its modules, and `py.typed`, which says that it has types."""
    source = ROOT / "src"
    found = sorted([*source.rglob("*.py"), *source.rglob("py.typed")])
    files = {path.relative_to(source).as_posix(): path.read_bytes() for path in found}
    if "keepsake_client/routes.py" not in files:
        sys.exit('routes.py is missing: run "npm run build" first, which makes it from the server\'s description.')
    return files


def record(files: dict[str, bytes], name: str) -> str:
    """Returns the list of all files, one per line: path, digest and length. The list itself has only its path."""

    def digest(content: bytes) -> str:
        return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()

    lines = [f"{path},sha256={digest(content)},{len(content)}" for path, content in files.items()]
    return "\n".join([*lines, f"{name},,", ""])


def make_wheel(folder: Path) -> Path:
    """Writes the wheel into an existing folder and returns its path."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    start = f"{project['name'].replace('-', '_')}-{project['version']}"
    info = f"{start}.dist-info"
    tags = "Wheel-Version: 1.0\nGenerator: make_wheel.py\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = package_files() | {
        f"{info}/METADATA": metadata(project).encode(),
        f"{info}/WHEEL": tags.encode(),
        f"{info}/LICENSE": (ROOT / "LICENSE").read_bytes(),
    }
    files[f"{info}/RECORD"] = record(files, f"{info}/RECORD").encode()
    wheel = folder / f"{start}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, FIRST_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return wheel


if __name__ == "__main__":
    print(make_wheel(Path(sys.argv[1])))
