import { counted } from "@/components/ui/counted";
type Measured = { share: number; low: number; high: number; visits: number; devices: number };

/** One decimal below 10 %, none for zero. */
const percent = (share: number) => (share * 100).toFixed(share >= 0.0005 && share < 0.0995 ? 1 : 0);

/** `96 %` */
export const shareText = ({ share }: Measured): string => `${percent(share)} %`;

/** `88 to 99 %` */
export const intervalText = ({ low, high }: Measured): string => `${percent(low)} to ${percent(high)} %`;

/** `120 visits of 80 devices` */
export const basisText = ({ visits, devices }: Measured): string =>
  `${counted(visits, "visit")} of ${counted(devices, "device")}`;
