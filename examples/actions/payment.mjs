/**
 * Call it before you charge the card. `address` is the client address of the request, as your framework reports it.
 *
 * @param {import("imprint-server").ImprintServer} imprint
 * @param {{ field: unknown, id: string, cents: number, address: string | undefined, isUsualDevice: (deviceId: string) => Promise<boolean> }} order
 * @returns {Promise<{ step: "charge" | "ask the bank" | "review", because: string }>}
 */
export async function checkPayment(imprint, { field, id, cents, address, isUsualDevice }) {
  const visit = await imprint.acceptImprint(field, {
    surface: "payment",
    origin: "https://shop.example",
    maxAgeSeconds: 120,
    acceptance: id, // accepted again for the same order, never for another
    address,
  });
  if (!visit.accepted) {
    console.warn(`order ${id} without evidence:`, visit.message);
    return { step: "ask the bank", because: visit.reason };
  }
  const { device, risk } = visit.report;
  if (risk.status === "DECEPTIVE") return { step: "review", because: risk.reasons.join(" ") };
  const isUsual = risk.status === "PASS" && (await isUsualDevice(device.id));
  return isUsual || cents < 2000
    ? { step: "charge", because: "nothing unusual" }
    : { step: "ask the bank", because: "not a device that this account pays with" };
}
