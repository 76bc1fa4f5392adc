/** A folder on a file system without any space. */
export const FULL_DISK = process.platform === "linux" ? "/proc" : "/dev";
