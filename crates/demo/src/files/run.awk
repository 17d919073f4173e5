# Recomputes every invoice. Expects lib/invoice.awk before it on the command line.

BEGIN { FS = "," }

FILENAME ~ /rates\.csv$/ { rate[$1] = $2; next }

FNR == 1 {
    country = FILENAME
    sub(/.*\//, "", country)
    sub(/\.csv$/, "", country)
    next
}

{
    got = total($2, rate[country])
    if (got == $3) {
        passed++
        printf "ok   %s invoice %s: %d cents at %d per mille is %d\n", country, $1, $2, rate[country], got
    } else {
        failed++
        printf "FAIL %s invoice %s: %d cents at %d per mille: expected %d, got %d\n", country, $1, $2, rate[country], $3, got
    }
}

END {
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0
}
