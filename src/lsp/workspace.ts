import type { ProtocolConnection } from 'vscode-languageserver/node';
import { pathOfUri } from './uri-path.ts';

/** The folders that the editor has open, and what it can do. What a client says may have any shape. */
export class Workspace {
  canRefreshLenses = false;
  canShowProgress = false;
  canWatchFiles = false;
  private readonly open = new Set<string>();

  constructor(connection: ProtocolConnection, onChange: () => void) {
    connection.onNotification('workspace/didChangeWorkspaceFolders', (params: unknown) => {
      const { added, removed } = inside(inside(params)['event']);
      for (const path of pathsOf(removed)) this.open.delete(path);
      for (const path of pathsOf(added)) this.open.add(path);
      // The folder decides which config applies.
      onChange();
    });
  }

  get folders(): readonly string[] {
    return [...this.open];
  }

  initialize(params: unknown): void {
    const { workspaceFolders, rootUri, rootPath, capabilities } = inside(params);
    const folders = pathsOf(workspaceFolders);
    const single = typeof rootUri === 'string' ? pathOfUri(rootUri) : rootPath;
    for (const path of folders.length > 0 ? folders : [single])
      if (typeof path === 'string') this.open.add(path);
    const { workspace, window } = inside(capabilities);
    this.canRefreshLenses = inside(inside(workspace)['codeLens'])['refreshSupport'] === true;
    this.canWatchFiles = inside(inside(workspace)['didChangeWatchedFiles'])['dynamicRegistration'] === true;
    this.canShowProgress = inside(window)['workDoneProgress'] === true;
  }
}

function inside(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function pathsOf(folders: unknown): readonly string[] {
  if (!Array.isArray(folders)) return [];
  return folders.flatMap((folder: unknown) => {
    const { uri } = inside(folder);
    return typeof uri === 'string' ? (pathOfUri(uri) ?? []) : [];
  });
}
