const grouped = new Intl.NumberFormat("en-US");

/** `1,204` */
export const countText = (count: number | bigint): string => grouped.format(count);

/** `1 visit`, `1,204 visits` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : many}`;
