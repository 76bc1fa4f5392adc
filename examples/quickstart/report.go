package imprint

import (
	"encoding/json"
	"log"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"time"
)

const service = "https://imprint.example.com"

var (
	format = regexp.MustCompile(`^imp_[0-9a-f]{32}$`)
	client = &http.Client{Timeout: 2 * time.Second}
)

// Report has the fields that this sign-in uses; the API reference lists every field.
type Report struct {
	Device struct {
		ID         string `json:"id"`
		SeenBefore bool   `json:"seen_before"`
	} `json:"device"`
	Risk struct {
		Status  string   `json:"status"`
		Reasons []string `json:"reasons"`
	} `json:"risk"`
}

// ReadReport reads the Report of an imprint. Without a Report, problem says why, and your sign-in continues.
// "no_imprint": the form had none. "unreachable": no answer in 2 seconds. Anything else is an error.code.
func ReadReport(imprint string) (report *Report, problem string) {
	// Check the visitor's input before it becomes part of a URL.
	if !format.MatchString(imprint) {
		return nil, "no_imprint"
	}
	address := service + "/api/v1/fingerprint/report/" + url.PathEscape(imprint)
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, unreachable(err)
	}
	request.Header.Set("X-API-Key", os.Getenv("IMPRINT_KEY"))
	answer, err := client.Do(request)
	if err != nil {
		return nil, unreachable(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		var refusal struct {
			Error struct{ Code string }
		}
		if err := json.NewDecoder(answer.Body).Decode(&refusal); err != nil || refusal.Error.Code == "" {
			return nil, "unreachable"
		}
		return nil, refusal.Error.Code
	}
	report = new(Report)
	if err := json.NewDecoder(answer.Body).Decode(report); err != nil {
		return nil, unreachable(err)
	}
	return report, ""
}

func unreachable(err error) string {
	log.Print("Imprint did not answer: ", err)
	return "unreachable"
}
