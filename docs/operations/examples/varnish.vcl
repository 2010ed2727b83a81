# /etc/varnish/default.vcl — Varnish between nginx (HTTPS) and Dateline: many readers of a page cost one request a second.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "3000";
}

sub vcl_recv {
    # Public answers never depend on a cookie; what does is marked no-store.
    if ((req.method == "GET" || req.method == "HEAD") && !req.http.Authorization) {
        return (hash);
    }
}

sub vcl_backend_response {
    # Dateline's pages ask to be checked for each reader. A second is how old other servers' pages may be, too.
    # Afterwards Varnish asks with the validator, and a page that is the same is not sent again.
    if (beresp.http.Cache-Control == "public, no-cache" && !beresp.http.Set-Cookie) {
        set beresp.ttl = 1s;
        set beresp.grace = 0s;
        set beresp.keep = 1h;
        return (deliver);
    }
}
