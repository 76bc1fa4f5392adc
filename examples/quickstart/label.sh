# What became of a customer, by the id that your server sends as account reference.
label() {
  curl --silent --show-error --fail-with-body --header "Authorization: Bearer $IMPRINT_MANAGEMENT_KEY" \
    --json "{\"account_ref\":\"$ACCOUNT\",\"label\":$1}" "https://imprint.example.com/api/v1/labels"
}
# After a chargeback: label '"fraud"'. When it was won: label null.
