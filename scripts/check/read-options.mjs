import { parseArgs } from "node:util";

/**
 * Parses the command's options. `--help` prints the help and exits; an unknown option does so with an error.
 *
 * @template {NonNullable<import("node:util").ParseArgsConfig["options"]>} T
 * @param {string} help @param {T} options
 */
export function readOptions(help, options) {
  const known = { ...options, help: { type: /** @type {const} */ ("boolean"), short: "h" } };
  try {
    const { values } = parseArgs({ options: known });
    if (!(/** @type {{ help?: boolean }} */ (values).help)) return values;
    console.log(help);
    process.exit(0);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    process.exit(2);
  }
}
