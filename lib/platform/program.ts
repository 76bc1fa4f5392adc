/** The program of a package names itself here. Not a setting, and so apart from the environment's. */
const PROGRAM = process.env["IMPRINT_ADMIN"];

/** How operators call the command line. */
export const ADMIN_COMMAND = PROGRAM ?? "npm run -s admin --";

/** Whether this is an unpacked package, into which npm installs nothing. */
export const isPackaged = (): boolean => PROGRAM !== undefined;
