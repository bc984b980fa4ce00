# The page, the HTTP API and the command line in a container. docs/container.md says how to use it.
FROM python:3.11-slim-bookworm AS build

ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /src
COPY . .
RUN python -m venv /opt/multicube \
 && /opt/multicube/bin/pip install -c constraints.txt '.[slides,scale]'

FROM python:3.11-slim-bookworm

COPY --from=build /opt/multicube /opt/multicube
RUN useradd --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin multicube \
 && install -d -o multicube -g multicube /data

# All that is written lies in /data, so that the rest can be read-only (docker run --read-only --tmpfs /tmp).
ENV PATH=/opt/multicube/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    MULTICUBE_KB=/data/kb \
    MULTICUBE_CACHE_DIR=/data/cache \
    XDG_STATE_HOME=/data/state
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8000

# The server is up once it is warm; a question takes no longer then than it will.
HEALTHCHECK --interval=30s --timeout=10s --start-period=120s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(r.Request('http://127.0.0.1:8000/health', headers={'Authorization': 'Bearer ' + os.environ.get('MULTICUBE_TOKEN', '')}), timeout=8)"]

ENTRYPOINT ["multicube"]
CMD ["serve", "--kb", "/data/kb", "--host", "0.0.0.0"]
