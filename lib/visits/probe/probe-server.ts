import { sharedState } from "@/lib/platform/shared-state";

/** How browsers reach this installation's probe. */
type ProbeServer = { urls: string[] };

const holder = sharedState<ProbeServer>("probe");

export function publishProbeServer(server: ProbeServer | undefined): void {
  holder.value = server;
}

/** The probe of this process; undefined while none is running. */
export const probeServer = (): ProbeServer | undefined => holder.value;
