import type { ProcessGroup } from "../../common/process-group";
import type { ProgramName, Programs, ToolName, Tools } from "./tools";

/** Rules are written on the visits of the design part; the hold-out part shows how well they generalise. */
export type Part = "design" | "hold-out";

/** Results reported by the page of a visit, by library. */
export type Outcome = Readonly<Record<string, unknown>>;

export type Kit = { programs: Programs; tools: Tools };
type VisitOptions = { url: string; outcome: Promise<Outcome>; env: NodeJS.ProcessEnv; folder: string };

/** One way of visiting a page. */
export type Variant = {
  id: string;
  tool: string;
  part: Part;
  isClean?: boolean;
  /** It leaves a trace that no person's browser has, so missing it is a defect. */
  isDefinitive: boolean;
  needs: readonly ProgramName[];
  packages: readonly ToolName[];
  screen?: string | undefined;
  /** Client IP of the visit; visits with one are captured and replayed afterwards. */
  address?: string | undefined;
  visit: (kit: Kit, options: VisitOptions) => Promise<Outcome>;
};

/** Waits for the page of a browser without a driver to report; the browser is stopped in any case. */
export async function outcomeOf(browser: ProcessGroup, outcome: Promise<Outcome>): Promise<Outcome> {
  try {
    return await outcome;
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}: ${browser.output()}`, { cause: error });
  } finally {
    await browser.stop();
  }
}

type Closable = { close: () => Promise<unknown> };

/** Runs `drive` with a browser, then waits for the outcome; the browser is closed in any case. */
export async function driven<B extends Closable>(
  browser: B,
  outcome: Promise<Outcome>,
  drive: (browser: B) => Promise<unknown>,
): Promise<Outcome> {
  try {
    await drive(browser);
    return await outcome;
  } finally {
    await browser.close();
  }
}
