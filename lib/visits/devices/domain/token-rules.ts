/** Rules about copied device tokens, with the reason of each. The ids are stored with visits. */
export const TOKEN_RULES = {
  "identity.copied-token": "ENVIRONMENT_INCONSISTENT",
  "identity.hardware-changed": "ENVIRONMENT_INCONSISTENT",
  "identity.token-reused": "ENVIRONMENT_INCONSISTENT",
} as const;
