import type { ProtocolConnection } from 'vscode-languageserver/node';

/** Tells the editor something. One that is gone does not hear it, and that is fine: the server is about to end. */
export function notify(connection: ProtocolConnection, method: string, params: object): void {
  try {
    void connection.sendNotification(method, params).catch(() => undefined);
  } catch {
    // The connection is closed.
  }
}
