/** The process clock. Times that are stored or ordered come from the database clock instead. */
export const now = (): Date => new Date();
