import type { ProcessGroup } from "../../common/process-group";
import type { ProgramName, Programs, ToolName, Tools } from "./tools";

/** Rules are written on the visits of one part; the others tell how they hold. */
export type Part = "design" | "hold-out";

/** What the page of a visit reported, by what it ran. */
export type Outcome = Readonly<Record<string, unknown>>;

export type Kit = { programs: Programs; tools: Tools };
type VisitOptions = { url: string; outcome: Promise<Outcome>; env: NodeJS.ProcessEnv; folder: string };

/** One way to visit a page. */
export type Variant = {
  id: string;
  tool: string;
  part: Part;
  isClean?: boolean;
  /** It leaves a trace that no person's browser has: a missed one is a fault. */
  isDefinitive: boolean;
  needs: readonly ProgramName[];
  packages: readonly ToolName[];
  screen?: string | undefined;
  /** Where the visit comes from; such a visit is captured and sent again afterwards. */
  address?: string | undefined;
  visit: (kit: Kit, options: VisitOptions) => Promise<Outcome>;
};

/** What the page of a browser without a driver reports; the browser is stopped in any case. */
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
