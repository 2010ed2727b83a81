# docker build -t dateline .   (everything is built in here, nothing on the host)
ARG NODE_IMAGE=node:24.18-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
# better-sqlite3 and bcrypt compile where their prebuilt files cannot be downloaded.
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 make g++ \
  && rm -rf /var/lib/apt/lists/*
# The postinstall script generates the database clients from these.
COPY package.json package-lock.json ./
COPY prisma ./prisma
# Only Debian's and npm's registries are reached: a compiler finds Node's headers in the image.
COPY bin/install.mjs ./bin/
RUN node bin/install.mjs --omit=dev
COPY . .
RUN npm run build

FROM ${NODE_IMAGE}
WORKDIR /app
# MALLOC_ARENA_MAX and the options of Node: less resident memory.
ENV NODE_ENV=production PORT=3000 MALLOC_ARENA_MAX=2 \
  NODE_OPTIONS="--max-semi-space-size=8 --v8-pool-size=1"
# The built folder runs by itself: bundles, migrations and the packages with machine code.
COPY --from=build /app/build ./
# Volumes take over the owner of the folders that they cover. Nothing else is ever written to but /tmp.
RUN install -d -o node -g node public/uploads data
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
# Node handles the signals itself: the script becomes the server.
CMD ["node", "bin/container-start.mjs"]
