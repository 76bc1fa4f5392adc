/**
 * A setting without the whitespace around it, which the service ignores too (lib/platform/env.ts); empty if it is not
 * set.
 *
 * @param {string} name
 */
export const setting = (name) => process.env[name]?.trim() ?? "";
