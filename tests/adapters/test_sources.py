"""A source is a folder, an archive, or an address of one: unpacked once, and never outside its place."""

import hashlib
import io
import os
import stat
import subprocess
import sys
import tarfile
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from evalkit.adapters.sources import default_cache, open_source
from evalkit.errors import InputError, SelectionError

FILES = {"suite/01_lag/test_case.yaml": "user_prompt: Why?\n", "suite/01_lag/get_lag.txt": "{}\n{}\n"}


def tar(path, members=None, mode="w:gz"):
    """Write a tar file of texts, or of whole `TarInfo`s."""
    with tarfile.open(path, mode) as archive:
        for name, content in (members or FILES).items():
            info = content if isinstance(content, tarfile.TarInfo) else tarfile.TarInfo(name)
            data = b"" if isinstance(content, tarfile.TarInfo) else content.encode()
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def zipped(path, members=None):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in (members or FILES).items():
            archive.writestr(name, content)
    return path


def entry(name, kind, target=""):
    """A member of a tar file that is no regular file."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def texts(folder):
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


@pytest.fixture
def serve():
    """Serve bytes on 127.0.0.1; gives the address and the list of paths that were asked for."""
    servers = []

    def start(body, *, status=200, cut=0, location=None):
        asked = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                moved = location and self.path != location
                self.send_response(302 if moved else status)
                self.send_header("Content-Length", "0" if moved else str(len(body)))
                if moved:
                    self.send_header("Location", location)
                self.end_headers()
                if not moved:
                    self.wfile.write(body[: len(body) - cut])

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}/fixtures.tar.gz", asked

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def test_a_folder_is_taken_where_it_lies(tmp_path, cache):
    with open_source(str(tmp_path), cache=cache) as folder:
        assert folder == tmp_path
    assert not cache.exists()


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
@pytest.mark.parametrize("name", ["fixtures.tar", "no-suffix-that-tells"])
def test_a_tar_file_is_unpacked_whatever_its_name(mode, name, tmp_path, cache):
    archive = tar(tmp_path / name, mode=mode)
    with open_source(str(archive), cache=cache) as folder:
        assert texts(folder) == FILES
        assert folder == cache / digest(archive)


def test_a_zip_file_is_unpacked_whatever_its_name(tmp_path, cache):
    with open_source(str(zipped(tmp_path / "fixtures.tar")), cache=cache) as folder:
        assert texts(folder) == FILES


def test_an_archive_is_unpacked_once(tmp_path, cache):
    archive = tar(tmp_path / "fixtures.tgz")
    with open_source(str(archive), cache=cache) as first:
        before = {path: path.stat().st_ino for path in first.rglob("*")}
    with open_source(str(archive), sha256=digest(archive).upper(), cache=cache) as second:
        assert {path: path.stat().st_ino for path in second.rglob("*")} == before
    assert [path.name for path in cache.iterdir()] == [digest(archive)]


def test_the_cache_is_below_the_users_cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    archive = tar(tmp_path / "fixtures.tgz")
    with open_source(str(archive)) as folder:
        assert folder == tmp_path / "xdg" / "evalkit" / "sources" / digest(archive)
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    assert default_cache() == Path.home() / ".cache" / "evalkit" / "sources"


def test_without_a_usable_cache_the_archive_is_unpacked_for_the_while(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with open_source(str(tar(tmp_path / "fixtures.tgz"))) as folder:
        assert texts(folder) == FILES
    assert not folder.exists()


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"../out.txt": "x"}, "leads out of the archive"),
        ({"suite/../../out.txt": "x"}, "leads out of the archive"),
        ({"/out.txt": "x"}, "leads out of the archive"),
        ({"suite\\..\\out.txt": "x"}, "leads out of the archive"),
        ({"l": entry("l", tarfile.SYMTYPE, "../out")}, "a link out of the archive"),
        ({"l": entry("l", tarfile.SYMTYPE, "/etc/passwd")}, "a link out of the archive"),
        ({"h": entry("h", tarfile.LNKTYPE, "/etc/passwd")}, "leads out of the archive"),
        ({"h": entry("h", tarfile.LNKTYPE, "nothing")}, "is no file before it"),
        ({"p": entry("p", tarfile.FIFOTYPE)}, "a device or a pipe"),
        ({"d": entry("d", tarfile.CHRTYPE)}, "a device or a pipe"),
        ({"l": entry("l", tarfile.SYMTYPE, "."), "l/x": "x"}, "something else stands in its place"),
        (
            {"a/b/up": entry("a/b/up", tarfile.SYMTYPE, "../.."), "out": entry("out", tarfile.SYMTYPE, "a/b/up/../x")},
            "a link out of the archive",
        ),
        ({"a": entry("a", tarfile.SYMTYPE, "."), "b": entry("a/b", tarfile.SYMTYPE, "x")}, "behind another link"),
    ],
)
def test_a_member_that_leads_out_or_is_no_file_refuses_the_archive(members, reason, tmp_path, cache):
    with pytest.raises(InputError, match=reason), open_source(str(tar(tmp_path / "a.tgz", members)), cache=cache):
        pass
    assert list(cache.iterdir()) == []
    assert not (tmp_path / "out.txt").exists()


def test_a_zip_member_that_leads_out_refuses_the_archive(tmp_path, cache):
    archive = zipped(tmp_path / "a.zip", {"../out.txt": "x"})
    with pytest.raises(InputError, match="leads out"), open_source(str(archive), cache=cache):
        pass
    assert list(cache.iterdir()) == []


def test_links_inside_are_kept_and_programs_stay_programs(tmp_path, cache):
    members = {
        "s/run.sh": "#!/bin/sh\n",
        "s/link": entry("s/link", tarfile.SYMTYPE, "run.sh"),
        "hard": entry("hard", tarfile.LNKTYPE, "s/run.sh"),
    }
    archive = tar(tmp_path / "a.tgz", members)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as opened:
        program, link = zipfile.ZipInfo("s/run.sh"), zipfile.ZipInfo("s/link")
        program.external_attr, link.external_attr = 0o104755 << 16, (stat.S_IFLNK | 0o777) << 16
        opened.writestr(program, "#!/bin/sh\n")
        opened.writestr(link, "run.sh")
    with open_source(str(archive), cache=cache) as folder:
        assert (folder / "s/link").readlink() == Path("run.sh")
        assert (folder / "hard").read_text() == "#!/bin/sh\n"
    with open_source(str(tmp_path / "a.zip"), cache=cache) as folder:
        assert (folder / "s/link").resolve() == (folder / "s/run.sh").resolve()
        assert stat.S_IMODE((folder / "s/run.sh").stat().st_mode) == 0o755


@pytest.mark.parametrize("make", [tar, zipped])
def test_an_archive_that_unpacks_to_too_much_is_refused(make, tmp_path, cache, monkeypatch):
    monkeypatch.setattr("evalkit.adapters.unpacking.MOST_BYTES", 1000)
    archive = make(tmp_path / "bomb", {"zeros": "0" * 1001})
    with pytest.raises(InputError, match="more than 1,000 bytes"), open_source(str(archive), cache=cache):
        pass
    assert list(cache.iterdir()) == []


def test_an_archive_of_too_many_members_is_refused(tmp_path, cache, monkeypatch):
    monkeypatch.setattr("evalkit.adapters.unpacking.MOST_MEMBERS", 2)
    archive = tar(tmp_path / "bomb", dict.fromkeys("abc", ""))
    with pytest.raises(InputError, match="more than 2 members"), open_source(str(archive), cache=cache):
        pass


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"just text", "this is no archive"),
        (b"<!DOCTYPE html><html>", "a web page"),
        (b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
        (b"", "this is no archive"),
        (b"\x1f\x8bnot really", "cannot be unpacked|damaged"),
        (b"PK\x03\x04not really", "damaged"),
    ],
)
def test_a_file_that_is_no_archive_says_what_it_is(content, reason, tmp_path, cache):
    (tmp_path / "a.tar.gz").write_bytes(content)
    with pytest.raises(InputError, match=reason), open_source(str(tmp_path / "a.tar.gz"), cache=cache):
        pass
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_an_archive_that_was_cut_off_is_refused_whole(mode, tmp_path, cache):
    archive = tar(tmp_path / "whole", {"a": os.urandom(4000).hex(), "b": os.urandom(4000).hex()}, mode)
    (tmp_path / "cut").write_bytes(archive.read_bytes()[:6000])
    with (
        pytest.raises(InputError, match=r"damaged|cannot be unpacked"),
        open_source(str(tmp_path / "cut"), cache=cache),
    ):
        pass
    assert list(cache.iterdir()) == []


def test_a_digest_that_differs_names_both(tmp_path, cache):
    archive = tar(tmp_path / "a.tgz")
    with pytest.raises(InputError) as raised, open_source(str(archive), sha256="0" * 64, cache=cache):
        pass
    assert "0" * 64 in str(raised.value)
    assert digest(archive) in str(raised.value)
    assert not cache.exists()


@pytest.mark.parametrize(
    ("src", "sha256", "reason"),
    [
        ("http://127.0.0.1/a.tgz", None, "needs --sha256"),
        ("https://user:secret@127.0.0.1/a.tgz?token=secret", None, "needs --sha256"),
        (".", "0" * 64, "is a folder"),
        (".", "abc", "64 hexadecimal digits"),
    ],
)
def test_what_cannot_go_together_says_why(src, sha256, reason, cache):
    with pytest.raises(InputError, match=reason) as raised, open_source(src, sha256=sha256, cache=cache):
        pass
    assert "secret" not in str(raised.value)


def test_nothing_there_is_an_error(tmp_path):
    with pytest.raises(SelectionError, match="no such file or folder"), open_source(str(tmp_path / "none")):
        pass


def test_an_address_is_fetched_once_and_then_never_asked_again(tmp_path, cache, serve, capsys):
    archive = tar(tmp_path / "a.tgz")
    url, asked = serve(archive.read_bytes())
    for _ in range(2):
        with open_source(url, sha256=digest(archive), cache=cache) as folder:
            assert texts(folder) == FILES
    assert asked == ["/fixtures.tar.gz"]
    assert capsys.readouterr().err == f"downloading {url}\n"
    assert [path.name for path in cache.iterdir()] == [digest(archive)]


def test_a_redirect_is_followed(tmp_path, cache, serve):
    archive = tar(tmp_path / "a.tgz")
    url, asked = serve(archive.read_bytes(), location="/elsewhere")
    with open_source(url, sha256=digest(archive), cache=cache) as folder:
        assert texts(folder) == FILES
    assert asked == ["/fixtures.tar.gz", "/elsewhere"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"status": 404}, "HTTP 404"),
        ({"cut": 10}, "cannot be downloaded.*after"),
        ({}, "is not the archive that --sha256 names"),
    ],
)
def test_a_failed_download_leaves_nothing_behind(answer, reason, tmp_path, cache, serve):
    archive = tar(tmp_path / "a.tgz")
    url, _ = serve(archive.read_bytes(), **answer)
    wanted = digest(archive) if answer else "0" * 64
    with pytest.raises(InputError, match=reason), open_source(url, sha256=wanted, cache=cache):
        pass
    assert list(cache.iterdir()) == []


def test_a_server_that_is_not_there_is_an_error(cache):
    address = "http://127.0.0.1:9/a.tgz"
    with pytest.raises(InputError, match="cannot be downloaded"), open_source(address, sha256="0" * 64, cache=cache):
        pass
    assert list(cache.iterdir()) == []


def test_a_download_that_is_too_large_is_given_up(tmp_path, cache, serve, monkeypatch):
    monkeypatch.setattr("evalkit.adapters.downloading.MOST_BYTES", 10)
    url, _ = serve(b"x" * 11)
    with pytest.raises(InputError, match="more than 10 bytes"), open_source(url, sha256="0" * 64, cache=cache):
        pass


def test_several_processes_share_one_cache(tmp_path, cache):
    archive = tar(tmp_path / "a.tgz")
    code = (
        "import sys; from pathlib import Path; from evalkit.adapters.sources import open_source\n"
        "with open_source(sys.argv[1], cache=Path(sys.argv[2])) as folder: print(len(list(folder.rglob('*'))))"
    )
    command = [sys.executable, "-c", code, str(archive), str(cache)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [process.communicate(timeout=60)[0] for process in running] == ["4\n"] * 4
    assert [path.name for path in cache.iterdir()] == [digest(archive)]


def test_an_interrupt_leaves_nothing_behind(tmp_path, cache, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("evalkit.adapters.sources.unpack", interrupted)
    with pytest.raises(KeyboardInterrupt), open_source(str(tar(tmp_path / "a.tgz")), cache=cache):
        pass
    assert list(cache.iterdir()) == []


def test_what_a_killed_process_left_goes_after_a_day(tmp_path, cache):
    for name in ("old", "new"):
        (cache / f".unfinished-{name}/unpacked").mkdir(parents=True)
    os.utime(cache / ".unfinished-old", (0, 0))
    archive = tar(tmp_path / "a.tgz")
    with open_source(str(archive), cache=cache):
        assert {path.name for path in cache.iterdir()} == {".unfinished-new", digest(archive)}
