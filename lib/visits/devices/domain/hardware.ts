import { type DeviceTraits, hasSoftwareGraphics } from "./traits";

/** Parts of a machine that do not change as long as its browser stays the same. */
export type Hardware = Pick<DeviceTraits, "gpu" | "cores" | "memory" | "model" | "architecture">;
export type HardwareFact = keyof Hardware;

/**
 * Number of parts that must change at once to count as another machine. A single change may be a new graphics card or
 * more memory.
 */
export const OTHER_MACHINE_MIN = 2;

/**
 * The parts that a visit reports truthfully. Excludes browsers that show everybody the same machine, and software
 * rendering, which may be a temporary fallback during a driver update.
 */
export function hardwareOf(traits: DeviceTraits): Partial<Hardware> {
  if (traits.isMasked) return {};
  const { gpu, cores, memory, model, architecture } = traits;
  const others = { cores, memory, model, architecture };
  const isUntold = hasSoftwareGraphics(traits) || traits.browser === "brave" || traits.engine === "webkit";
  return isUntold ? others : { gpu, ...others };
}

/** Words in a driver's name that depend on its version, graphics API or browser rather than on the card. */
const DRIVER_WORDS =
  /\((?:0x[0-9a-f]+|r|tm)\)|\b(?:angle|google|inc|corporation|direct3d\w*|d3d\w*|opengl|es|vulkan|metal|renderer|mesa|llvm|drm|vs_\w+|ps_\w+|or|similar|unspecified|version|max|build)\b|\b\d+(?:\.\d+)+\b|[^a-z0-9.]+/g;

const wordsOf = (gpu: string): Set<string> =>
  new Set(
    gpu
      .toLowerCase()
      .replaceAll(DRIVER_WORDS, " ")
      .split(" ")
      .filter((word) => word !== ""),
  );

/** Compares the words that contain digits, or all words if either card has none. */
export function isSameCard(one: string, other: string): boolean {
  if (one === other) return true;
  const numbered = (words: Set<string>) => [...words].filter((word) => /\d/.test(word));
  const [left, right] = [wordsOf(one), wordsOf(other)];
  const [ours, theirs] = [numbered(left), numbered(right)];
  if (ours.length > 0 && theirs.length > 0) return ours.some((word) => right.has(word));
  return [...left].some((word) => right.has(word)) || left.size === 0 || right.size === 0;
}

const isOther = <T>(now: T | undefined, before: T | undefined, isSame = (a: T, b: T) => a === b): boolean =>
  now !== undefined && before !== undefined && now !== "" && before !== "" && !isSame(now, before);

/** Browsers cap the reported memory at 8 GiB, newer versions at 32 GiB, so all values of 8 or more count as equal. */
const isSameMemory = (one: number, other: number): boolean => one === other || Math.min(one, other) >= 8;

/**
 * The parts in which a visit's machine differs from `before`. Parts that either of them does not report are skipped.
 */
export function changedHardware(now: DeviceTraits, before: Partial<Hardware>): HardwareFact[] {
  const { gpu, cores, memory, model, architecture } = hardwareOf(now);
  const changed: [HardwareFact, boolean][] = [
    ["gpu", isOther(gpu, before.gpu, isSameCard)],
    ["cores", isOther(cores, before.cores)],
    ["memory", isOther(memory, before.memory, isSameMemory)],
    ["model", isOther(model, before.model)],
    ["architecture", isOther(architecture, before.architecture)],
  ];
  return changed.flatMap(([fact, isChanged]) => (isChanged ? [fact] : []));
}
