# Totals of invoices. cents: amount without tax. rate: value added tax in per mille.

function total(cents, rate) {
    if (rate >= 250)
        return high(cents, rate)
    return int((cents * (1000 + rate) + 500) / 1000)
}

# Countries with a rate of 250 per mille and more came later and have their own path.
function high(cents, rate) {
    return int(cents * (1000 + rate) / 1000)
}
