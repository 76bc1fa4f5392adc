/** Keeps the time zone that a person chose to read times in. */
export const ZONE_COOKIE = "imprint-zone";
