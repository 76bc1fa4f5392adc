import { type DeviceTraits, hardwareText } from "./traits";

/** Devices that are looked at for each key, the most recently seen first. */
export const CANDIDATES_PER_KEY = 24;

/**
 * Devices that are weighed; each costs a read of its profile. First those under the rarest keys: a key that finds n
 * devices counts 1/n for each, so that the one other device of a network comes before many of the same model.
 */
export const CANDIDATES_WEIGHED = 24;

/**
 * The texts under which a device is filed and found again. A returning device agrees on at least one of them unless it
 * changed in two respects at once; each is rare enough that its newest rows are worth looking at.
 */
export function blockingTexts(traits: DeviceTraits): string[] {
  const hardware = hardwareText(traits);
  const { system, browser, gpu, network } = traits;
  const texts = [
    `screen|${hardware}|${traits.languages}|${traits.screen}`,
    `fonts|${hardware}|${traits.fonts}`,
    `zone|${hardware}|${traits.languages}|${traits.timeZone}`,
  ];
  return network === "" ? texts : [...texts, `network|${system}|${browser}|${gpu}|${network}`];
}
