# Prints the Report. Checks the visitor's input before it becomes part of a URL.
[[ $IMPRINT =~ ^imp_[0-9a-f]{32}$ ]] &&
  curl --silent --show-error --fail-with-body --max-time 2 \
    --header "X-API-Key: $IMPRINT_KEY" \
    "https://imprint.example.com/api/v1/fingerprint/report/$IMPRINT"
