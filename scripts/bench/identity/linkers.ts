import type { Visit } from "@/lib/visits/risk";
import { stalkerLinker } from "./fp-stalker";
import type { StreamVisit } from "./stream";

export type Observed = { sent: StreamVisit; visit: Visit };

/** Gives a visit an id; remembers what it needs. */
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

/** The id is the token. */
export function tokenOnly(): Linker {
  const idOf = idsByKey();
  return ({ sent }) => idOf(sent.token);
}

/**
 * The id is a hash of everything, without a server. Components, and what is left out on which browser, as FingerprintJS 5
 * has it, as far as the stream varies them: no user agent; no canvas and no screen sides where they are unstable.
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

/** FP-Stalker's rules on what the stream shows of each visit. */
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
