"""What ci/release.py refuses."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHANGES = "# Changelog\n\n## {}\n\n{}\n"
pytestmark = pytest.mark.skipif(
    not shutil.which("git") or not (ROOT / "ci").is_dir(), reason="needs git and the scripts of the checkout"
)


def git(folder, *arguments):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def release(folder, *arguments):
    command = [sys.executable, str(folder / "ci" / "release.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert bool(done.returncode) == bool(done.stderr)
    return done.stderr.splitlines()


def write(folder, version="1.2.3", heading="1.2.3, 2026-11-21", what="- All of it."):
    (folder / "src" / "wei7core" / "_version.py").write_text(f'__version__ = "{version}"\n', encoding="utf-8")
    (folder / "CHANGELOG.md").write_text(CHANGES.format(heading, what), encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "x")


@pytest.fixture
def checkout(tmp_path):
    (tmp_path / "ci").mkdir()
    (tmp_path / "src" / "wei7core").mkdir(parents=True)
    shutil.copy(ROOT / "ci" / "release.py", tmp_path / "ci")
    git(tmp_path, "init", "-q")
    return tmp_path


def test_a_finished_version_passes_and_its_tag_is_asked_for(checkout):
    write(checkout)
    assert release(checkout) == []
    assert release(checkout, "--check") == ["the tag v1.2.3 is missing"]
    git(checkout, "tag", "-a", "v1.2.3", "-m", "x")
    assert release(checkout, "--check") == []
    assert release(checkout) == ["the tag v1.2.3 is there already"]
    write(checkout)
    assert release(checkout, "--check") == ["the tag v1.2.3 is that of another commit"]


@pytest.mark.parametrize(
    ("state", "fault"),
    [
        ({"heading": "1.2.3"}, "the changes of 1.2.3 are not finished: the heading has no date"),
        (
            {"heading": "1.2.2, 2026-11-21"},
            "the last changes in CHANGELOG.md are those of 1.2.2, 2026-11-21, not of 1.2.3",
        ),
        ({"what": "- TODO"}, "the changes of 1.2.3, 2026-11-21 are not written"),
        ({"what": ""}, "the changes of 1.2.3, 2026-11-21 are not written"),
        ({"version": "1.2.dev", "heading": "1.2.dev, 2026-11-21"}, "1.2.dev is no version to release"),
    ],
)
def test_what_is_not_finished_is_refused(checkout, state, fault):
    write(checkout, **state)
    (reported,) = release(checkout)
    assert reported.startswith(fault)


def test_a_dirty_tree_is_refused(checkout):
    write(checkout)
    (checkout / "new").touch()
    assert release(checkout) == ["the tree has changes that are not committed: ?? new, ..."]


def test_every_wheel_has_to_be_there(checkout, tmp_path_factory):
    write(checkout)
    git(checkout, "tag", "-a", "v1.2.3", "-m", "x")
    folder = tmp_path_factory.mktemp("dist")
    (folder / "wei7core-1.2.3.tar.gz").touch()
    platforms = ["manylinux_2_27_{}.manylinux_2_28_{}", "musllinux_1_2_{}"]
    tags = [platform.format(*[kind] * 2) for platform in platforms for kind in ("x86_64", "aarch64")]
    tags += ["macosx_10_14_x86_64", "macosx_11_0_arm64", "win_amd64", "win_arm64"]
    for python in ["cp310", "cp311", "cp312", "cp313", "cp314", "cp315", "cp314-cp314t", "cp315-cp315t"]:
        for tag in tags:
            if (python, tag) != ("cp310", "win_arm64"):
                name = python if "-" in python else f"{python}-{python}"
                (folder / f"wei7core-1.2.3-{name}-{tag}.whl").touch()
    assert release(checkout, "--check", str(folder)) == []
    (folder / "wei7core-1.2.3-cp313-cp313-win_amd64.whl").rename(folder / "wei7core-1.2.2-cp313-cp313-win_amd64.whl")
    assert release(checkout, "--check", str(folder)) == [
        f"{folder} lacks the wheel of cp313-cp313 for Windows amd64",
        f"{folder} has wei7core-1.2.2-cp313-cp313-win_amd64.whl as well",
    ]
