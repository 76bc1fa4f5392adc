/** `Pro` for `pro`. */
export const planName = (plan: string): string => `${plan.charAt(0).toUpperCase()}${plan.slice(1)}`;
