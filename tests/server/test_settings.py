import pytest

types = pytest.importorskip("lsprotocol.types")

BREAK = "import torch\n\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    print(x)\n    return x.item()\n"


def codes(items):
    return [item.code for item in items]


def uri_of(path):
    return f"file://{path}"


def workspace(**more):
    return types.ClientCapabilities(workspace=types.WorkspaceClientCapabilities(**more))


def test_each_folder_has_its_configuration(session, tmp_path):
    for name, ignored in (("one", "CL5"), ("two", "CL2")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").write_text(f'[tool.compile-lint]\nignore = ["{ignored}"]\n')

    async def test(client):
        one = client.open(tmp_path / "one/a.py", BREAK)
        two = client.open(tmp_path / "two/a.py", BREAK)
        outside = client.open(tmp_path / "a.py", BREAK)
        assert codes(await client.diagnostics(one, 1)) == ["CL201"]
        assert codes(await client.diagnostics(two, 1)) == ["CL501"]
        assert codes(await client.diagnostics(outside, 1)) == ["CL501", "CL201"]

    session(test, folders=(tmp_path / "one", tmp_path / "two"))


def test_a_configuration_that_changes(session, tmp_path):
    config = tmp_path / "compile-lint.toml"
    config.write_text('ignore = ["CL5"]\n')

    async def test(client):
        uri = client.open(tmp_path / "a.py", BREAK)
        assert codes(await client.diagnostics(uri, 1)) == ["CL201"]

        async def saved(text):
            config.write_text(text)
            after = client.count
            event = types.FileEvent(uri_of(config), types.FileChangeType.Changed)
            client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
            return codes(await client.diagnostics(uri, 1, after))

        assert await saved('ignore = ["CL2"]\n') == ["CL501"]
        assert await saved('ignor = ["CL2"]\n') == ["CL501"], "the last good one stays in force"
        assert await saved('ignor = ["CL2"]\n') == ["CL501"]
        assert client.messages == ["compile-lint: compile-lint.toml: ignor: unknown key; did you mean 'ignore'?"], (
            "told once, until it is mended"
        )
        assert await saved("") == ["CL501", "CL201"]
        await saved('ignore = ["CL999"]\n')
        assert "CL999" in client.messages[1]

    session(test)


def test_a_broken_configuration_at_the_start(session, tmp_path):
    (tmp_path / "compile-lint.toml").write_text("ignore = [\n")

    async def test(client):
        uri = client.open(tmp_path / "a.py", BREAK)
        assert codes(await client.diagnostics(uri, 1)) == ["CL501", "CL201"]
        (message,) = client.messages
        assert "is not valid TOML" in message

    session(test)


def test_settings_of_the_editor(session, tmp_path):
    (tmp_path / "compile-lint.toml").write_text('ignore = ["CL5"]\nmin-confidence = "certain"\n')

    async def test(client):
        uri = client.open(tmp_path / "a.py", BREAK)
        assert codes(await client.diagnostics(uri, 1)) == ["CL201"]
        assert client.messages == []

    session(test, **{"min-confidence": "possible", "per-file-ignores": {"b.py": ["CL2"]}})


def test_settings_that_are_wrong_are_told_and_left_out(session, tmp_path):
    async def test(client):
        uri = client.open(tmp_path / "a.py", BREAK)
        assert codes(await client.diagnostics(uri, 1)) == ["CL201"]
        assert len(client.messages) == 2
        assert any(
            "setting 'colour' of the editor: unknown; there are config, debounce, select" in one
            for one in client.messages
        )
        assert any("setting 'min-confidence' of the editor" in one for one in client.messages)

    session(test, colour="red", ignore=["CL5"], **{"min-confidence": "sure"})


def test_a_configuration_file_that_the_editor_names(session, tmp_path):
    (tmp_path / "other.toml").write_text('ignore = ["CL2"]\n')

    async def test(client):
        uri = client.open(tmp_path / "a.py", BREAK)
        assert codes(await client.diagnostics(uri, 1)) == ["CL501"]

    session(test, config="other.toml")


def test_the_editor_is_asked_for_each_folder(session, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    settings = {
        uri_of(tmp_path / "one"): {"per-file-ignores": {"*.py": ["CL5"]}},
        uri_of(tmp_path / "two"): {"ignore": ["CL2"]},
    }

    async def test(client):
        await client.until(lambda: client.asked)
        assert [(item.scope_uri, item.section) for item in client.asked[0].items] == [
            (uri_of(tmp_path / name), "compile-lint") for name in ("one", "two")
        ]
        one = client.open(tmp_path / "one/a.py", BREAK)
        two = client.open(tmp_path / "two/a.py", BREAK)
        await client.until(lambda: codes(client.published[one].items if one in client.published else []) == ["CL201"])
        await client.until(lambda: codes(client.published[two].items if two in client.published else []) == ["CL501"])
        client.settings = {uri_of(tmp_path / "one"): {"ignore": ["CL2", "CL5"]}}
        after = client.count
        client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
        await client.until(lambda: client.published[one].count > after and not client.published[one].items)

    session(
        test,
        folders=(tmp_path / "one", tmp_path / "two"),
        client_capabilities=workspace(configuration=True),
        settings=settings,
    )


def test_settings_that_the_editor_sends(session, tmp_path):
    async def test(client):
        uri = client.open(tmp_path / "a.py", BREAK)
        assert codes(await client.diagnostics(uri, 1)) == ["CL501", "CL201"]
        after = client.count
        client.workspace_did_change_configuration(
            types.DidChangeConfigurationParams({"compile-lint": {"ignore": ["CL2"]}})
        )
        assert codes(await client.diagnostics(uri, 1, after)) == ["CL501"]

    session(test)


def test_folders_that_come_and_go(session, tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "one/compile-lint.toml").write_text('ignore = ["CL2"]\n')
    (tmp_path / "compile-lint.toml").write_text('ignore = ["CL5"]\n')

    async def test(client):
        uri = client.open(tmp_path / "one/a.py", BREAK)
        assert codes(await client.diagnostics(uri, 1)) == ["CL201"]
        after = client.count
        event = types.WorkspaceFoldersChangeEvent([types.WorkspaceFolder(uri_of(tmp_path / "one"), "one")], [])
        client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
        assert codes(await client.diagnostics(uri, 1, after)) == ["CL501"]

    session(test, folders=(tmp_path,))


def test_changes_on_disk_are_asked_for(session, tmp_path):
    async def test(client):
        (params,) = await client.until(lambda: client.registered)
        (one,) = params.registrations
        assert one.method == "workspace/didChangeWatchedFiles"

    watched = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
    session(test, client_capabilities=workspace(did_change_watched_files=watched))
