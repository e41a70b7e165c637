#!/bin/sh
# What the image has beside Debian: Vulkan's loader, the libraries that NVIDIA's driver expects to find, lavapipe for
# hosts without a GPU, and the place of the key store.
set -eu

apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    ca-certificates libvulkan1 mesa-vulkan-drivers \
    libglvnd0 libgl1 libglx0 libegl1 libgles2 libx11-6 libxext6
rm -rf /var/lib/apt/lists/*

# No shell, no home: a number is all that a container needs, and volumes inherit the owner of /data.
mkdir -p /data
chown 10001:10001 /data
chmod 0700 /data
