# In the pipeline, when a preview is deployed: its origin is allowed, for a week at most.
add() {
  curl --silent --show-error --fail-with-body --request PUT --header "Authorization: Bearer $IMPRINT_MANAGEMENT_KEY" \
    --json "{\"origin\":\"$PREVIEW_ORIGIN\",\"expires_in_seconds\":604800}" \
    "https://imprint.example.com/api/v1/manage/web-apps/$IMPRINT_WEB_APP/origins"
}
# When it is taken down. Both may be repeated.
drop() {
  curl --silent --show-error --fail-with-body --request DELETE --header "Authorization: Bearer $IMPRINT_MANAGEMENT_KEY" \
    --get --data-urlencode "origin=$PREVIEW_ORIGIN" \
    "https://imprint.example.com/api/v1/manage/web-apps/$IMPRINT_WEB_APP/origins"
}
