import { changedHardware, type Hardware } from "./hardware";
import { type DeviceTraits, hasSoftwareGraphics } from "./traits";

/** What a visit shows beside the parts of its machine, each of which also changes on one machine. */
export type Appearance = Pick<DeviceTraits, "gpu" | "fonts" | "screen" | "languages">;
export type AppearanceFact = "graphics" | "fonts" | "screen" | "languages";

/** Screens and languages that a device returns to. */
export type Habits = { screens: readonly string[]; languages: readonly string[] };

/**
 * Number of changes at once, a part or the graphics among them, that make another machine. A remote session changes
 * two: graphics that software draws, and the screen.
 */
const OTHER_APPEARANCE_MIN = 3;

export const appearanceOf = ({ gpu, fonts, screen, languages }: DeviceTraits): Appearance => ({
  gpu,
  fonts,
  screen,
  languages,
});

const isOther = (now: string, before: string): boolean => now !== "" && before !== "" && now !== before;

/** Browsers that make up fonts or graphics, or show everybody the same. */
const isUntold = ({ isMasked, browser, engine }: DeviceTraits): boolean =>
  isMasked || browser === "brave" || engine === "webkit";

/** What differs from `before` and is not among the device's habits. What either of them does not report is skipped. */
export function changedAppearance(now: DeviceTraits, before: Appearance, habits: Habits): AppearanceFact[] {
  if (isUntold(now)) return [];
  const isDrawnOtherwise =
    now.gpu !== "" && before.gpu !== "" && hasSoftwareGraphics(now) !== hasSoftwareGraphics(before);
  const changed: [AppearanceFact, boolean][] = [
    ["graphics", isDrawnOtherwise],
    ["fonts", isOther(now.fonts, before.fonts)],
    ["screen", isOther(now.screen, before.screen) && !habits.screens.includes(now.screen)],
    ["languages", isOther(now.languages, before.languages) && !habits.languages.includes(now.languages)],
  ];
  return changed.flatMap(([fact, isChanged]) => (isChanged ? [fact] : []));
}

/** Whether a visit differs from `before` in so much at once that it comes from another machine. */
export function looksLikeAnother(
  now: DeviceTraits,
  before: Partial<Hardware> & { shown: Appearance },
  habits: Habits,
): boolean {
  const parts = changedHardware(now, before);
  const seen = changedAppearance(now, before.shown, habits);
  const isOfMachine = parts.length > 0 || seen.includes("graphics");
  return isOfMachine && parts.length + seen.length >= OTHER_APPEARANCE_MIN;
}
