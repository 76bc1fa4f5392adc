/** How browsers reach this installation's probe. Data only, since two module graphs share it. */
type ProbeServer = { urls: string[] };

const HANDLE = Symbol.for("imprint.probe");
type Holder = { [HANDLE]?: ProbeServer | undefined };

export function publishProbeServer(server: ProbeServer | undefined): void {
  (globalThis as Holder)[HANDLE] = server;
}

/** The probe of this process; undefined while none is running. */
export const probeServer = (): ProbeServer | undefined => (globalThis as Holder)[HANDLE];
