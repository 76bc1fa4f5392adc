/**
 * Facts of a visit that identity compares. Strings are empty and numbers undefined if the browser did not report them
 * or is known to fake them.
 */
export type DeviceTraits = {
  /** Family names as in the risk feature. */
  browser: string;
  system: string;
  engine: string;
  browserMajor: number | undefined;
  /** System version from client hints; the one in the user agent is frozen. */
  systemVersion: string;
  gpu: string;
  cores: number | undefined;
  memory: number | undefined;
  touchPoints: number | undefined;
  model: string;
  architecture: string;
  /** Width, height, depth, pixel ratio and work area. */
  screen: string;
  languages: string;
  timeZone: string;
  /** Digits as in `FONTS`. */
  fonts: string;
  /** Hash of the canvas, only if the browser draws it without noise. */
  canvas: string;
  /**
   * Whether the browser shows every visitor the same machine (resistFingerprinting, Tor Browser), so that only a token
   * distinguishes it.
   */
  isMasked: boolean;
};

/** Graphics of virtual machines and of machines without a card, which many machines share. */
const SOFTWARE_GPU = /^$|swiftshader|llvmpipe|softpipe|basic render|vmware|virtualbox|virgl|parallels/i;

export const hasSoftwareGraphics = ({ gpu }: Pick<DeviceTraits, "gpu">): boolean => SOFTWARE_GPU.test(gpu);

/**
 * Whether the visit shows nothing specific to its device: a masked browser; Safari or another WebKit browser, which
 * calls every graphics card "Apple GPU" and reports neither memory nor model; or a machine without hardware graphics.
 * Only a token distinguishes such devices, so two equal phones are two devices by design.
 */
export const hasNoDistinctiveTraits = (traits: DeviceTraits): boolean =>
  traits.isMasked || traits.engine === "webkit" || hasSoftwareGraphics(traits);

/** Phones and tablets. */
export const isHandheld = ({ system }: Pick<DeviceTraits, "system">): boolean =>
  system === "ios" || system === "android";

/**
 * The facts that make up one class of hardware and browser. Devices that differ in any of them are different devices.
 */
export const hardwareText = (traits: DeviceTraits): string =>
  [
    traits.system,
    traits.browser,
    traits.gpu,
    traits.cores ?? "",
    traits.memory ?? "",
    traits.touchPoints ?? "",
    traits.model,
    traits.architecture,
  ].join("|");

/** Language and time zone together, as they are not independent. */
export const localeText = ({ languages, timeZone }: DeviceTraits): string => `${languages}|${timeZone}`;

/** The language in what `localeText` returns. */
export const languagesOf = (locale: string): string => locale.split("|", 1)[0] ?? "";

/** 32-bit FNV-1a in base 36. Identifies a value in a table; not a security measure. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}
