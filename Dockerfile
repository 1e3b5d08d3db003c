ARG BUILD_IMAGE=rust:1.95-bookworm
ARG RUNTIME_IMAGE=debian:bookworm-slim

# The compiler runs on the processor of the build machine. For another processor (docker build --platform linux/arm64), rust-lld links a static
# program, so the build needs neither an emulator nor a compiler for C.
FROM --platform=$BUILDPLATFORM ${BUILD_IMAGE} AS build
ARG BUILDARCH
ARG TARGETARCH
WORKDIR /build
COPY . .
# The commit of the source, for `GET /version` and `superflip --version`.
ARG BUILD_COMMIT=
# A panic names its line without debug information.
ENV CARGO_PROFILE_RELEASE_STRIP=debuginfo \
    CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER=rust-lld \
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=rust-lld
# The caches keep crates and objects between builds. They are not part of the image, so the results are copied out of them.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/build/target \
    case ${TARGETARCH}-of-${BUILDARCH} in \
      ${BUILDARCH}-of-*) target= ;; \
      amd64-of-*) target=x86_64-unknown-linux-musl ;; \
      arm64-of-*) target=aarch64-unknown-linux-musl ;; \
      *) echo "the image can be cross-compiled for linux/amd64 and linux/arm64, not for ${TARGETARCH}"; exit 1 ;; \
    esac && \
    if [ -n "$target" ]; then rustup target add "$target"; fi && \
    cargo build --release --locked --bin superflip ${target:+--target $target} && \
    cp "target/${target:+$target/}release/superflip" /superflip && \
    deploy/sbom /sbom.cdx.json && \
    mkdir /tables

FROM ${RUNTIME_IMAGE} AS service
COPY --from=build /superflip /usr/local/bin/superflip
COPY --from=build /sbom.cdx.json /usr/local/share/superflip/sbom.cdx.json
# Owned by the user below, so that a new volume mounted here is writable.
COPY --from=build --chown=65532:65532 /tables /var/lib/superflip
ENV SUPERFLIP_SERVER__LISTEN=0.0.0.0:8080 \
    SUPERFLIP_TABLES__DIR=/var/lib/superflip
USER 65532:65532
EXPOSE 8080
VOLUME /var/lib/superflip
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=4s --start-period=120s CMD ["/usr/local/bin/superflip", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/superflip"]
CMD ["serve"]

# The service with its tables as a layer: docker build --target with-tables --build-arg PROFILE=small
# The program runs here, so only this target needs an emulator for another processor.
FROM service AS tables
ARG PROFILE=standard
ARG OPTIMAL_TABLE=off
USER root
RUN SUPERFLIP_OPTIMAL__TABLE=${OPTIMAL_TABLE} superflip tables build --profile ${PROFILE} --tables-dir /tables

FROM service AS with-tables
ARG PROFILE=standard
ARG OPTIMAL_TABLE=off
# Outside the volume above: a container runtime would copy the tables into a new volume at each start. The files belong to root, so the service
# cannot change them.
COPY --from=tables /tables /usr/local/share/superflip/tables
ENV SUPERFLIP_TABLES__DIR=/usr/local/share/superflip/tables \
    SUPERFLIP_TABLES__PROFILE=${PROFILE} \
    SUPERFLIP_OPTIMAL__TABLE=${OPTIMAL_TABLE}

# Without a target, the image has no tables.
FROM service
