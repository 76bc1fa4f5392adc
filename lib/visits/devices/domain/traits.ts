/**
 * What identity compares of one visit. Texts are empty and numbers undefined when the browser did not tell them, or when
 * what it tells is known to be made up.
 */
export type DeviceTraits = {
  /** Families as the risk feature names them. */
  browser: string;
  system: string;
  engine: string;
  browserMajor: number | undefined;
  /** Version of the system as client hints tell it; the user agent's is frozen. */
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
  /** Hash of the picture, only where the browser draws it without noise. */
  canvas: string;
  /** The browser shows every visitor the same machine (resistFingerprinting, Tor Browser): only a token tells it apart. */
  isMasked: boolean;
};

/** Graphics of virtual machines and of machines without a card: copies of one image, nobody's own. */
const SOFTWARE_GPU = /^$|swiftshader|llvmpipe|softpipe|basic render|vmware|virtualbox|virgl|parallels/i;

export const hasSoftwareGraphics = ({ gpu }: Pick<DeviceTraits, "gpu">): boolean => SOFTWARE_GPU.test(gpu);

/**
 * Whether the visit shows nothing that is its own device's: a masked browser; Safari and every other WebKit, which calls
 * each graphics card "Apple GPU" and tells neither memory nor model; a machine without hardware graphics. Only a token
 * tells such devices apart, so that two equal phones are two devices by design.
 */
export const showsNobody = (traits: DeviceTraits): boolean =>
  traits.isMasked || traits.engine === "webkit" || hasSoftwareGraphics(traits);

/** Phones and tablets. */
export const isHandheld = ({ system }: Pick<DeviceTraits, "system">): boolean =>
  system === "ios" || system === "android";

/** The facts that make up one class of hardware and browser: devices that differ here are different devices. */
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

/** Language list and time zone together: the two are not independent. */
export const localeText = ({ languages, timeZone }: DeviceTraits): string => `${languages}|${timeZone}`;

/** 32-bit FNV-1a in base 36: names a value in a table, protects nothing. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}
