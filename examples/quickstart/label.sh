# Labels a customer by the id that your server sends as account reference.
label() {
  curl --silent --show-error --fail-with-body --header "Authorization: Bearer $IMPRINT_MANAGEMENT_KEY" \
    --json "{\"account_ref\":\"$ACCOUNT\",\"label\":$1}" "https://imprint.example.com/api/v1/labels"
}
# After a chargeback: label '"fraud"'. If you win the dispute: label null.
