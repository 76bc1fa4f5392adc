import type { Rule } from "../rule";
import { clientHintsMissing } from "./client-hints-missing";
import { consoleWatched } from "./console-watched";
import { groupsTimedOut } from "./groups-timed-out";
import { headlessToken } from "./headless-token";
import { navigatorMissing } from "./navigator-missing";
import { rootAttributes } from "./root-attributes";
import { toolGlobals } from "./tool-globals";
import { webdriverFlag } from "./webdriver-flag";

/**
 * Every rule, in the order in which evidence is shown: by reason as the contract lists them, and within a reason the
 * most direct proof first. The order never changes a verdict, because a verdict is a maximum.
 */
export const RULES: readonly Rule[] = [
  webdriverFlag,
  headlessToken,
  toolGlobals,
  rootAttributes,
  consoleWatched,
  navigatorMissing,
  clientHintsMissing,
  groupsTimedOut,
];
