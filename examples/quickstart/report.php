<?php

const SERVICE = 'https://imprint.example.com';

/**
 * Reads the Report of an imprint: [$report, $problem]. Never throws: without a Report, $problem says why, and your
 * sign-in continues. 'no_imprint': the form had none. 'unreachable': no answer in 2 seconds. Anything else is an
 * error.code.
 */
function readReport(mixed $imprint): array
{
    // Check the visitor's input before it becomes part of a URL.
    if (!is_string($imprint) || !preg_match('/\Aimp_[0-9a-f]{32}\z/', $imprint)) {
        return [null, 'no_imprint'];
    }
    $context = stream_context_create(['http' => [
        'header' => 'X-API-Key: ' . getenv('IMPRINT_KEY'),
        'timeout' => 2,
        'ignore_errors' => true, // a refusal has a body too
    ]]);
    $address = SERVICE . '/api/v1/fingerprint/report/' . rawurlencode($imprint);
    $body = @file_get_contents($address, false, $context);
    $answer = $body === false ? null : json_decode($body, true);
    $status = (int) (explode(' ', $http_response_header[0] ?? '')[1] ?? 0);
    if (is_array($answer) && $status === 200) {
        return [$answer, null];
    }
    if (!isset($answer['error']['code'])) {
        error_log('Imprint did not answer');
        return [null, 'unreachable'];
    }
    return [null, $answer['error']['code']];
}
