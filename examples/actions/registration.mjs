const MAX_ACCOUNTS_OF_A_DEVICE = 3;

/**
 * Call it before you create the account. `countAccounts` counts the accounts in your own table that a device created.
 *
 * @param {import("imprint-server").ImprintServer} imprint
 * @param {{ field: unknown, formId: string, countAccounts: (deviceId: string) => Promise<number> }} form
 * @returns {Promise<{ step: "create" | "verify first", because: string, deviceId?: string }>}
 */
export async function checkRegistration(imprint, { field, formId, countAccounts }) {
  const visit = await imprint.acceptImprint(field, {
    surface: "registration",
    origin: "https://shop.example",
    maxAgeSeconds: 900, // people need minutes for long forms
    acceptance: formId,
  });
  if (!visit.accepted) {
    console.warn("registration without evidence:", visit.message);
    return { step: "verify first", because: visit.reason };
  }
  const { device, risk } = visit.report;
  if (risk.status === "DECEPTIVE")
    return { step: "verify first", because: risk.reasons.join(" "), deviceId: device.id };
  if ((await countAccounts(device.id)) >= MAX_ACCOUNTS_OF_A_DEVICE)
    return { step: "verify first", because: "many accounts of this device", deviceId: device.id };
  return { step: "create", because: risk.status, deviceId: device.id };
}
