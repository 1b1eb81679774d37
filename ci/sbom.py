"""Prints a software bill of materials (CycloneDX 1.6, JSON) for a folder of archives: what is in them, what they need.

python3 ci/sbom.py FOLDER

The same files give the same text. Nothing of others is inside: the wheels bundle no library (ci/check_archives.py).
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import uuid
import zipfile
from email.parser import HeaderParser
from pathlib import Path


def metadata(folder: Path) -> dict[str, list[str]]:
    """Return the fields of the metadata, which is the same in every wheel."""
    with zipfile.ZipFile(min(folder.glob("*.whl"))) as wheel:
        (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
        message = HeaderParser().parsestr(wheel.read(name).decode())
    return {key: [str(value) for value in message.get_all(key, [])] for key in set(message.keys())}


def bill(folder: Path) -> dict[str, object]:
    fields = metadata(folder)
    name, version = fields["Name"][0], fields["Version"][0]
    digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}
    package = f"pkg:pypi/{name}@{version}"
    needed = [text for text in fields.get("Requires-Dist", []) if "extra ==" not in text]
    needs = {f"pkg:pypi/{re.split(r'[^A-Za-z0-9._-]', text)[0]}": text for text in needed}
    licence = [{"license": {"id": fields["License-Expression"][0]}}]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, package + json.dumps(digests))}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": package,
                "name": name,
                "version": version,
                "purl": package,
                "description": fields["Summary"][0],
                "licenses": licence,
            }
        },
        "components": [
            {
                "type": "file",
                "bom-ref": file,
                "name": file,
                "version": version,
                "hashes": [{"alg": "SHA-256", "content": digest}],
                "licenses": licence,
            }
            for file, digest in digests.items()
        ]
        + [
            {"type": "library", "bom-ref": url, "name": url.rpartition("/")[2], "purl": url, "description": text}
            for url, text in needs.items()
        ],
        "dependencies": [{"ref": package, "dependsOn": sorted(needs)}],
    }


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    json.dump(bill(Path(sys.argv[1])), sys.stdout, indent=1)
    print()
