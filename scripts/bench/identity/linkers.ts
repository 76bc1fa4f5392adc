import type { Visit } from "@/lib/visits/risk";
import { stalkerLinker } from "./fp-stalker";
import type { StreamVisit } from "./stream";

export type Observed = { sent: StreamVisit; visit: Visit };

/** Assigns an id to a visit and keeps any state it needs. */
export type Linker = (observed: Observed) => number;

function idsByKey(): (key: string | number) => number {
  const ids = new Map<string | number, number>();
  return (key) => {
    const id = ids.get(key) ?? ids.size + 1;
    ids.set(key, id);
    return id;
  };
}

const pageOf = ({ signals }: Visit) => (signals.navigator?.state === "ok" ? signals.navigator.value : undefined);
const canvasOf = ({ signals }: Visit) => (signals.canvas?.state === "ok" ? signals.canvas.value.hash : "");

/** Uses the token as the id. */
export function tokenOnly(): Linker {
  const idOf = idsByKey();
  return ({ sent }) => idOf(sent.token);
}

/**
 * Uses a hash of all components as the id, without a server. The components, and the exclusions per browser, are those
 * of FingerprintJS 5 as far as the stream varies them: no user agent, and no canvas or screen size where they are
 * unstable.
 */
export function exactHash(): Linker {
  const idOf = idsByKey();
  return ({ sent, visit }) => {
    const { machine, screen } = sent;
    const page = pageOf(visit);
    const sides = [screen.width, screen.height].sort((one, other) => other - one);
    const { fonts, platform, vendor, gpuVendor, engine, hints } = machine;
    return idOf(
      [
        ...[fonts, platform, vendor, gpuVendor, sent.gpu, sent.timeZone, hints?.architecture, screen.colorDepth],
        ...[page?.hardwareConcurrency, page?.deviceMemory, page?.maxTouchPoints, page?.languages?.join()],
        ...(engine === "webkit" ? [] : sides),
        engine === "blink" ? canvasOf(visit) : "",
      ].join("|"),
    );
  };
}

/** Applies FP-Stalker's rules to what the stream shows of each visit. */
export function stalkerRules(): Linker {
  const link = stalkerLinker();
  return ({ sent, visit }) => {
    const { machine, screen, major, gpu, timeZone } = sent;
    const userAgent = visit.request.userAgent ?? "";
    const browser = machine.userAgent.includes("Edg") ? "edge" : machine.engine;
    return link(
      {
        system: machine.system,
        platform: machine.platform,
        browser,
        version: major,
        fixed: canvasOf(visit),
        similar: [userAgent, machine.gpuVendor, gpu, machine.language],
        free: [`${screen.width}x${screen.height}x${screen.colorDepth}`, timeZone],
      },
      sent.day,
    );
  };
}
