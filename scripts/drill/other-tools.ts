import type { CleanUp } from "../common/command";
import type { Step } from "./installation";

export async function drillOtherTools(_cleanUp: CleanUp, step: Step): Promise<void> {
  step("not yet");
  await Promise.resolve();
}
