"""Looks addresses up through django-postcode-lookup: prints one line of JSON for each POSTCODE/NUMBER, null where it finds nothing.

Usage: django_lookup.py URL KEY POSTCODE/NUMBER...
"""

import json
import sys

from django.conf import settings

settings.configure(
    POSTCODE_LOOKUP={
        "default": {
            "backend": "django_postcode_lookup.backends.PostcodeApiNu",
            "OPTIONS": {"base_url": sys.argv[1] + "/v3/lookup", "api_key": sys.argv[2]},
        }
    }
)

from django_postcode_lookup.loading import get_backend  # noqa: E402  (settings first)

backend = get_backend()
for row in sys.argv[3:]:
    found = backend.lookup(*row.split("/"))
    print(json.dumps(found and found.json()))
