/** Set by the launcher of a package. Internal, so it is not part of `env`. */
const PROGRAM = process.env["IMPRINT_ADMIN"];

/** The shell command by which operators run the command line. */
export const ADMIN_COMMAND = PROGRAM ?? "npm run -s admin --";

/** Whether this is an unpacked release archive, where npm cannot install anything. */
export const isPackaged = (): boolean => PROGRAM !== undefined;
