const grouped = new Intl.NumberFormat("en-US");

/** `1 visit`, `1,204 visits` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped.format(count)} ${count === 1 ? one : many}`;
