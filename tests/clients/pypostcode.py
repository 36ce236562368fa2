"""Looks addresses up through pyPostcode and prints one line of JSON for each POSTCODE/NUMBER, with the fields that pyPostcode gives.

Usage: pypostcode.py URL KEY POSTCODE/NUMBER...
"""

import json
import logging
import sys

from pyPostcode import Api

FIELDS = ["street", "house_number", "postcode", "city", "municipality", "province", "latitude", "longitude"]


class LastStatus(logging.Handler):
    """The status of the answer, which the library logs when it gives up."""

    status = None

    def emit(self, record):
        self.status = record.args[-2] if len(record.args or ()) == 6 else record.getMessage()


def read(address, field):
    try:
        return getattr(address, field)
    except AttributeError as error:
        return type(error).__name__


def main(url, key, rows):
    last = LastStatus()
    logging.getLogger().addHandler(last)
    api = Api(key)
    api.url = url
    for row in rows:
        address = api.getaddress(*row.split("/"))
        seen = {field: read(address, field) for field in FIELDS} if address else {"failed": last.status}
        print(json.dumps(seen))


main(sys.argv[1], sys.argv[2], sys.argv[3:])
