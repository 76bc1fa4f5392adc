# In the pipeline, when a preview is deployed: allow its origin, for at most a week.
add() {
  curl --silent --show-error --fail-with-body --request PUT --header "Authorization: Bearer $IMPRINT_MANAGEMENT_KEY" \
    --json "{\"origin\":\"$PREVIEW_ORIGIN\",\"expires_in_seconds\":604800}" \
    "https://imprint.example.com/api/v1/manage/web-apps/$IMPRINT_WEB_APP/origins"
}
# When the preview is removed. Both calls are safe to repeat.
drop() {
  curl --silent --show-error --fail-with-body --request DELETE --header "Authorization: Bearer $IMPRINT_MANAGEMENT_KEY" \
    --get --data-urlencode "origin=$PREVIEW_ORIGIN" \
    "https://imprint.example.com/api/v1/manage/web-apps/$IMPRINT_WEB_APP/origins"
}
